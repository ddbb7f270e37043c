export { SALE } from '../classAccess/types';
export { CLASS_ACCESS, CLASS_ACCESS_ID } from '../classAccess/workflow';
