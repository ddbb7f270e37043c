// Runs before anything else, on whatever Node there is, so it is plain old JavaScript.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
	console.error(
		`This needs Node.js 20.19 or newer, and this is ${process.versions.node}. ` +
			'Install a newer one from https://nodejs.org and run the command again.',
	);
	process.exit(1);
}
