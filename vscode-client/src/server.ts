// The server's life: found, started, watched, started again.

import type { ChildProcess } from "node:child_process";
import * as vscode from "vscode";
import type { LanguageClient, LanguageClientOptions, StaticFeature } from "vscode-languageclient/node";
import { Backoff } from "./backoff";
import { active, candidates, setting } from "./interpreters";
import { launch, launchCommand, Refusal, type Folders, type Hello, type Launched } from "./launch";
import { forServer } from "./settings";
import type { State } from "./state";

type Library = typeof import("vscode-languageclient/node");

const SELECTOR = ["file", "untitled", "vscode-notebook-cell"].map((scheme) => ({ scheme, language: "python" }));

export class NoPython extends Error {
  constructor(readonly tried: readonly string[]) {
    super("no Python 3.10 or newer");
  }
}

/** The command of `secondpass.path` cannot be started: a wrong setting, which no second try mends. */
class WrongPath extends Error {}

/** A command that takes long, with the server's token of its progress as soon as it has one. */
interface Long {
  cancelled: vscode.CancellationToken;
  /** Where its progress is shown: what the server says goes there. */
  shown: vscode.Progress<{ message?: string }>;
  token?: number | string;
}

export class Server implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<State>();
  readonly onDidChangeState = this.changed.event;
  private current: State = { kind: "off" };
  private client: LanguageClient | undefined;
  private process: ChildProcess | undefined;
  private queue: Promise<void> = Promise.resolve();
  private readonly backoff = new Backoff();
  private timer: NodeJS.Timeout | undefined;
  private long: Long | undefined;
  private disposed = false;
  /** Documents that the server asks to show although the extension shows them itself. */
  private readonly swallowed: ((uri: string) => boolean)[] = [];
  /** What a command has the server say, for as long as the extension says it itself. */
  private overheard: string[] | undefined;

  constructor(
    private readonly folders: Folders,
    private readonly channel: vscode.LogOutputChannel,
  ) {}

  get state(): State {
    return this.current;
  }

  /** What the running server said of itself. */
  get hello(): Hello | undefined {
    return this.current.kind === "running" ? this.current.hello : undefined;
  }

  /** Start, or stop and start again; one after the other however often it is asked for. */
  restart(): Promise<void> {
    this.backoff.reset();
    return this.again();
  }

  stop(): Promise<void> {
    clearTimeout(this.timer);
    return (this.queue = this.queue.then(() => this.end()));
  }

  /** Ask the server to run one of its commands. */
  async run<T>(command: string, args: unknown[]): Promise<T> {
    await this.queue;
    if (!this.client?.isRunning()) throw new Error("the server does not run (see the log)");
    return this.client.sendRequest<T>("workspace/executeCommand", { command, arguments: args });
  }

  /** As `run`, for a command whose result the server would show in a window of its own choice. */
  async runQuietly<T>(command: string, args: unknown[], swallow: (uri: string) => boolean): Promise<T> {
    this.swallowed.push(swallow);
    try {
      return await this.run<T>(command, args);
    } finally {
      this.swallowed.splice(this.swallowed.indexOf(swallow), 1);
    }
  }

  /** As `runLong`, for a command of which the server would show the outcome: what it says is the result. */
  async overhear(command: string, args: unknown[], shown: Long["shown"], cancelled: vscode.CancellationToken): Promise<string> {
    const said: string[] = (this.overheard = []);
    try {
      await this.runLong(command, args, shown, cancelled);
      return said.join("\n");
    } finally {
      this.overheard = undefined;
    }
  }

  /** As `run`, for the one command that takes long: the caller shows its progress and may cancel it. */
  async runLong<T>(command: string, args: unknown[], shown: Long["shown"], cancelled: vscode.CancellationToken): Promise<T> {
    if (this.long) throw new Error("a traced run is under way");
    this.long = { cancelled, shown };
    const listening = cancelled.onCancellationRequested(() => this.cancelLong());
    try {
      return await this.run<T>(command, args);
    } finally {
      listening.dispose();
      this.long = undefined;
    }
  }

  /** The setting's interpreter for traced runs, or the one chosen in the Python extension. */
  async python(): Promise<string | undefined> {
    return setting("python") || (await active((line) => this.channel.warn(line)));
  }

  dispose(): void {
    this.disposed = true;
    void this.stop();
    this.changed.dispose();
  }

  private again(): Promise<void> {
    clearTimeout(this.timer);
    return (this.queue = this.queue.then(async () => {
      await this.end();
      if (!this.disposed) await this.begin();
    }));
  }

  private async end(): Promise<void> {
    const old = this.client;
    this.client = undefined;
    await new Promise(setImmediate); // a request that is just being sent is sent, and not caught between two states
    if (old?.needsStop()) await old.stop().catch((error: unknown) => this.channel.warn(`stop: ${String(error)}`));
    await old?.dispose().catch(() => undefined); // it may have ended before
    if (this.current.kind !== "running") this.process?.kill(); // it never came so far as to be asked to leave
    this.process = undefined;
    this.become({ kind: "off" });
  }

  private async begin(): Promise<void> {
    this.become({ kind: "starting" });
    try {
      // the library is large: read while the server starts, not before
      const [launched, library] = await Promise.all([this.launch(), import("vscode-languageclient/node")]);
      this.process = launched.process;
      const client = this.connect(launched, library);
      this.client = client;
      await client.start();
      this.backoff.started();
      const { hello, candidate, passedOver } = launched;
      this.become({ kind: "running", hello, command: candidate.command, ...(passedOver ? { passedOver } : {}) });
    } catch (error) {
      if (error instanceof NoPython) this.become({ kind: "noPython", tried: error.tried });
      else if (error instanceof WrongPath) this.fail(error.message);
      else if (this.current.kind === "starting") this.ended(error instanceof Error ? error.message : String(error));
    }
  }

  /** The first candidate that starts, and what was said of an interpreter that a setting names in vain. */
  private async launch(): Promise<Launched & { passedOver?: string }> {
    const log = (line: string) => this.channel.info(line);
    const command = setting("path");
    if (command) {
      const launched = await launchCommand(command, this.folders.cwd, log).catch((error: Error) => {
        throw new WrongPath(`${command} (secondpass.path) ${error.message}`);
      });
      log(`${command} (secondpass.path), process ${launched.process.pid}`);
      return launched;
    }
    const tried: string[] = [];
    for (const candidate of await candidates(log)) {
      try {
        const launched = await launch(candidate, this.folders, log);
        const { hello } = launched;
        log(
          `secondpass ${hello?.version} (${hello?.source}) on Python ${hello?.python} ${hello?.executable} (${candidate.why}), ` +
            `libcst ${hello?.fixes}, process ${launched.process.pid}, trusted ${vscode.workspace.isTrusted}`,
        );
        if (hello?.broken) this.channel.warn(`the interpreter's own secondpass cannot be used: ${hello.broken}`);
        const [first] = tried;
        return setting("interpreter") && first ? { ...launched, passedOver: first } : launched;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const told = `${candidate.command} (${candidate.why}) ${error.message}`;
        log(told);
        tried.push(told);
      }
    }
    throw new NoPython(tried);
  }

  private connect(launched: Launched, { CloseAction, ErrorAction, LanguageClient }: Library): LanguageClient {
    const options: LanguageClientOptions = {
      documentSelector: SELECTOR,
      outputChannel: this.channel,
      traceOutputChannel: this.channel,
      // process and standard error are ours to watch
      stdioOptions: { stdout: () => undefined, stderr: () => undefined },
      markdown: { isTrusted: false, supportHtml: false },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: (error) => {
          this.channel.error(`connection: ${error.message}`);
          return { action: ErrorAction.Continue, handled: true };
        },
        closed: () => {
          if (this.client === client) this.ended("the server ended by itself");
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      middleware: {
        workspace: {
          // a change of settings may be what starts another server, which asks for them itself
          didChangeConfiguration: async (sections, next) => {
            await this.queue;
            if (this.client === client && client.isRunning()) await next(sections);
          },
          configuration: async (params, token, next) => {
            const [values, python] = await Promise.all([next(params, token), this.python()]);
            return Array.isArray(values) ? values.map((value) => forServer(value, python)) : values;
          },
        },
        handleWorkDoneProgress: (token, params, next) => {
          if (this.long && params.kind === "begin" && params.cancellable) {
            this.long.token = token;
            if (this.long.cancelled.isCancellationRequested) this.cancelLong(); // before there was anything to cancel
          }
          if (this.long?.token !== token) next(token, params); // VS Code would show it without a way to cancel
          else if (params.kind !== "end" && params.message) this.long.shown.report({ message: params.message });
        },
        window: {
          showDocument: async (params, token, next) =>
            this.swallowed.some((swallow) => swallow(params.uri)) ? { success: true } : next(params, token),
        },
      },
    };
    const client = new LanguageClient("secondpass", "secondpass", () => Promise.resolve(launched.process), options);
    client.registerFeature(COMMANDS_ARE_OURS);
    client.onNotification("window/showMessage", ({ type, message }: { type: number; message: string }) => {
      if (this.overheard) this.overheard.push(message);
      else if (type === 1) void vscode.window.showErrorMessage(message);
      else if (type === 2) void vscode.window.showWarningMessage(message);
      else void vscode.window.showInformationMessage(message);
    });
    return client;
  }

  private cancelLong(): void {
    const token = this.long?.token;
    if (token !== undefined) void this.client?.sendNotification("window/workDoneProgress/cancel", { token });
  }

  /** The server is gone although nobody asked for it. */
  private ended(why: string): void {
    const wait = this.backoff.next();
    if (wait === undefined) {
      return this.fail(`${why}, again and again`);
    }
    this.channel.warn(`${why}; starting again in ${wait / 1000} s`);
    this.become({ kind: "waiting", seconds: wait / 1000 });
    this.timer = setTimeout(() => void this.again(), wait);
  }

  private fail(why: string): void {
    this.channel.error(`${why}; not started again`);
    this.become({ kind: "failed", why });
  }

  private become(state: State): void {
    if (this.disposed) return;
    this.current = state;
    this.changed.fire(state);
  }
}

/** The commands are the extension's own, so that they are there before the server is, and after it. */
const COMMANDS_ARE_OURS: StaticFeature = {
  fillClientCapabilities: () => undefined,
  preInitialize: (capabilities) => {
    delete capabilities.executeCommandProvider;
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};
