// Tells the setting `python.chosen` as the Python extension would tell the interpreter that a person chose.

const vscode = require("vscode");

exports.activate = (context) => {
  const changed = new vscode.EventEmitter();
  const chosen = () => vscode.workspace.getConfiguration("python").get("chosen", "");
  context.subscriptions.push(
    changed,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("python.chosen")) changed.fire({ path: chosen() });
    }),
  );
  const executable = (path) => (path ? { uri: vscode.Uri.file(path) } : {});
  return {
    environments: {
      getActiveEnvironmentPath: () => ({ path: chosen() }),
      resolveEnvironment: async ({ path }) => ({ executable: executable(path) }),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
