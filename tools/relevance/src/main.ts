import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stratalog/harness';
import { answerUsage, startPostgres, startSearchEngine } from '@stratalog/local-stack';
import { askQuestions } from './questions/ask-questions';
import { formatAnswers, replaceAnswers } from './questions/format-answers';
import { folderSource, ownSource, type QuestionSource } from './questions/question-sources';
import { readQuestions } from './questions/read-questions';
import { writeBaseline } from './report/baseline';
import { formatRun } from './report/format-run';
import { replaceFigures } from './report/format-page';
import { parseRelevanceArguments, type RelevanceOptions } from './relevance-arguments';
import { measureRelevance, type RelevanceRun } from './run/measure-relevance';
import type { ServerUrls } from './run/search-deps';

const PAGE = join(ROOT, 'docs/relevance.md');
const QUESTIONS_PAGE = join(ROOT, 'docs/reference/questions.md');

async function measure(options: RelevanceOptions): Promise<void> {
  const { size, engine, json } = options;
  const run = await withServers(options, (urls) => measureRelevance(urls, options));
  process.stdout.write(formatRun(run));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ ...options, ...run }, null, 2)}\n`);
  if (!options.writeBaseline) return;
  const baseline = writeBaseline(size, engine, run.summary);
  writeFileSync(PAGE, replaceFigures(readFileSync(PAGE, 'utf8'), baseline));
}

async function answerQuestions({ files, questions }: QuestionSource, writesPage: boolean): Promise<void> {
  const answers = await askQuestions(files, readQuestions(questions));
  process.stdout.write(formatAnswers(answers));
  if (writesPage) {
    writeFileSync(QUESTIONS_PAGE, replaceAnswers(readFileSync(QUESTIONS_PAGE, 'utf8'), answers));
  }
}

/** Starts throw-away servers for the time of `work`. */
async function withServers(
  { engine }: RelevanceOptions,
  work: (urls: ServerUrls) => Promise<RelevanceRun>,
): Promise<RelevanceRun> {
  const postgres = await startPostgres();
  try {
    if (engine === 'postgres') return await work({ databaseUrl: postgres.url });
    const server = await startSearchEngine({ kind: engine });
    try {
      return await work({ databaseUrl: postgres.url, engineUrl: server.url });
    } finally {
      await server.stop();
    }
  } finally {
    await postgres.stop();
  }
}

const parsed = parseRelevanceArguments(process.argv.slice(2));
if ('kind' in parsed) process.exitCode = answerUsage(parsed);
else if (parsed.questions === true) await answerQuestions(ownSource(), parsed.writePage);
else if (parsed.questions !== undefined)
  await answerQuestions(folderSource(parsed.questions, parsed.ask ?? ''), false);
else await measure(parsed);
