// For jest: the environment of a suite. Node carries the stores of every `AsyncLocalStorage` in use over to each promise. A suite makes new
// ones and ends without them, so in a process that has run a hundred suites they took a tenth of the processor time.
import asyncHooks from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

const { AsyncLocalStorage } = asyncHooks;

export default class SuiteEnvironment extends TestEnvironment {
  #storages = [];

  async setup() {
    await super.setup();
    const storages = this.#storages;
    asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
      constructor(...args) {
        super(...args);
        storages.push(this);
      }
    };
  }

  async teardown() {
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
    for (const storage of this.#storages) storage.disable();
    await super.teardown();
  }
}
