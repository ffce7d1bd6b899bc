import { afterAll, beforeAll } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase, type ScratchSession } from '@stratalog/runtime';

/** A database of the calling block of tests, with one session on it. */
export interface SuiteScratch {
  readonly url: () => string;
  /** Runs statements on the session, transactions included; returns the rows of the last one. */
  query(text: string): ReturnType<ScratchSession['query']>;
}

/** Creates a scratch database before the tests of the calling block, and drops it after them. */
export function scratchForSuite(): SuiteScratch {
  let scratch: ScratchDatabase;
  let session: ScratchSession;
  beforeAll(async () => {
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    session = await scratch.session();
  });
  afterAll(async () => {
    await session.end();
    await scratch.drop();
  });
  return { url: () => scratch.url, query: (text) => session.query(text) };
}
