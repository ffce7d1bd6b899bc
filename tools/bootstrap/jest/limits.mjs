// For jest, before each suite: time limits that a slow or crowded machine does not break.
import { jest } from '@jest/globals';
import { timeScale } from '../test/time-scale.mjs';

const TEST_LIMIT_MS = 120_000;

globalThis.limitMs = (ms) => Math.ceil(ms * timeScale());

jest.setTimeout(globalThis.limitMs(TEST_LIMIT_MS));
