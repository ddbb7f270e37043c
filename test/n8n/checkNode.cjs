// Runs first, on any version of Node.js, so it is plain JavaScript.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
	console.error(
		`This needs Node.js 20.19 or newer, but you have ${process.versions.node}. ` +
			'Install a newer version from https://nodejs.org and run the command again.',
	);
	process.exit(1);
}
