const { dest, parallel, src } = require('gulp');

/** Copies what the compiler ignores: icons, the nodes' search entries (codex) and output schemas. */
const copyIcons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
const copyNodeData = () => src('nodes/**/*.json').pipe(dest('dist/nodes'));

exports.default = parallel(copyIcons, copyNodeData);
