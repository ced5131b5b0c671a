// Stands in for @vscode/native-watchdog, which would have to be compiled: nobody watches, the tests end what they start.

exports.start = () => {};
exports.exit = (code) => process.exit(code ?? 0);
