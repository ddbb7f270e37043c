export { classCreated } from './classCreated';
export { classUpdated } from './classUpdated';
export { studentCountChanged } from './studentCountChanged';
