// For jest: reports the progress of the run every ten seconds, also where the output is no terminal.
import { relative } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { ROOT, say } from '../workspace/workspace.mjs';

const EVERY_MS = 10_000;

export default class ProgressReporter {
  #running = new Map();
  #tests = { passed: 0, failed: 0 };
  #suites = { done: 0, all: 0 };
  #startedAt = 0;
  #timer;

  onRunStart(results) {
    this.#startedAt = Date.now();
    this.#suites.all = results.numTotalTestSuites;
    say(`running ${this.#suites.all} suites`);
    this.#timer = setInterval(() => say(this.line()), EVERY_MS);
  }

  onTestFileStart({ path }) {
    this.#running.set(path, Date.now());
  }

  onTestCaseResult(_test, { status }) {
    if (status in this.#tests) this.#tests[status] += 1;
  }

  onTestFileResult({ path }) {
    this.#running.delete(path);
    this.#suites.done += 1;
  }

  onRunComplete() {
    clearInterval(this.#timer);
  }

  line(now = Date.now()) {
    const { done, all } = this.#suites;
    const { passed, failed } = this.#tests;
    const running = [...this.#running].map(
      ([path, since]) => `${relative(ROOT, path)} (${seconds(now - since)})`,
    );
    const counts = `${done} of ${all} suites, ${passed} tests passed, ${failed} failed`;
    return `${seconds(now - this.#startedAt)}: ${counts}; running ${running.join(', ') || 'none'}`;
  }
}

function seconds(ms) {
  return `${Math.round(ms / 1_000)} s`;
}
