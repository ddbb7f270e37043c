export { addManyToClass } from './addManyToClass';
export { addToClass } from './addToClass';
export { addToClasses } from './addToClasses';
export { removeFromClass } from './removeFromClass';
export { removeFromClasses } from './removeFromClasses';
export { sendMagicLink } from './sendMagicLink';
