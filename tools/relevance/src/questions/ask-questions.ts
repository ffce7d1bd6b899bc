import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CatalogProgram, Program, buildBundles } from '@stratalog/harness';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { isAnswer, type Question } from './read-questions';

/** Hits that are read of each answer. */
const HITS = 20;
/** The first start makes a database. */
const START_LIMIT_MS = 120_000;

/** The answer of the catalog to a question. */
export interface Answer {
  readonly question: Question;
  readonly total: number;
  /** The first hits. */
  readonly urns: readonly string[];
  /** Rank of the first hit that answers the question, from 1. */
  readonly rank?: number;
  /** How the hits match, when none has all words of the query. */
  readonly fallback?: string;
  readonly suggestions: readonly string[];
}

/**
 * Loads files into a throw-away catalog, and asks it the questions, each over all entity types.
 *
 * **Errors**: throws when the catalog does not start, or rejects a record.
 */
export async function askQuestions(
  files: readonly string[],
  questions: readonly Question[],
): Promise<readonly Answer[]> {
  buildBundles('apps/standalone/main', 'apps/cli/main');
  const data = mkdtempSync(join(tmpdir(), 'stratalog-questions-'));
  const catalog = new CatalogProgram({
    settings: { STRATALOG_DATA_DIR: data, STRATALOG_LOG_LEVEL: 'error' },
  });
  try {
    const url = await catalog.ready(START_LIMIT_MS);
    for (const file of files) await load(file, url);
    const answers = [];
    for (const question of questions) answers.push(await ask(url, question));
    return answers;
  } finally {
    await catalog.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function load(file: string, url: string): Promise<void> {
  const rejects = join(tmpdir(), `stratalog-questions-${String(process.pid)}.rejects`);
  const { code, stderr, stdout } = await new Program('dist/apps/cli/main.js', {
    args: ['load', file, '--server', url, '--wait', '--rejects', rejects],
  }).ended;
  rmSync(rejects, { force: true });
  if (code !== 0) throw new Error(`${file} was not loaded: ${stdout}${stderr}`);
}

async function ask(url: string, question: Question): Promise<Answer> {
  const response = await fetch(`${url}/entities?action=searchAcrossEntities`, {
    method: 'POST',
    body: JSON.stringify({ input: question.ask, start: 0, count: HITS }),
  });
  const body = parseJson(await response.text());
  const value = toObject(toObject(body).value);
  const { fallback, suggestions } = toObject(value.metadata);
  const urns = toList(value.entities).map(String);
  const rank = urns.findIndex((urn) => isAnswer(question, urn)) + 1;
  return {
    question,
    total: Number(value.numEntities),
    urns,
    suggestions: toList(suggestions).flatMap((each) => {
      const { text } = toObject(each);
      return typeof text === 'string' ? [text] : [];
    }),
    ...(rank === 0 ? {} : { rank }),
    ...(typeof fallback === 'string' ? { fallback } : {}),
  };
}

/** True when the first hit answers the question, or the suggestion does. */
export function isAnswered({ question, rank, suggestions }: Answer): boolean {
  return question.suggests === undefined ? rank === 1 : suggestions.includes(question.suggests);
}

function toObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function toList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
