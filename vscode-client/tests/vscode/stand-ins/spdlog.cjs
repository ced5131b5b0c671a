// Stands in for VS Code's log writer @vscode/spdlog, which would have to be compiled: the same calls, lines into a file.

const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

const LEVELS = ["trace", "debug", "info", "warning", "error", "critical"];

class Logger {
  constructor(_kind, _name, file) {
    mkdirSync(dirname(file), { recursive: true });
    this.file = file;
    this.level = 2;
    this.bare = false;
  }

  write(level, message) {
    if (level < this.level) return;
    const when = new Date().toISOString().replace("T", " ").replace("Z", "");
    appendFileSync(this.file, this.bare ? message : `${when} [${LEVELS[level]}] ${message}\n`);
  }

  trace(message) { this.write(0, message); }
  debug(message) { this.write(1, message); }
  info(message) { this.write(2, message); }
  warn(message) { this.write(3, message); }
  error(message) { this.write(4, message); }
  critical(message) { this.write(5, message); }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  clearFormatters() { this.bare = true; }
  setPattern() {}
  flush() {}
  drop() {}
}

const create = async (name, file) => new Logger("rotating", name, file);
exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
