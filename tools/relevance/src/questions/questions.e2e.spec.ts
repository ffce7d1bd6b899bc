import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from '@stratalog/harness';
import { askQuestions } from './ask-questions';
import { replaceAnswers } from './format-answers';
import { ownSource } from './question-sources';
import { readQuestions } from './read-questions';

test(
  'docs/reference/questions.md has the answers of a catalog with our own files',
  async () => {
    const { files, questions } = ownSource();
    const page = readFileSync(join(ROOT, 'docs/reference/questions.md'), 'utf8');
    expect(page).toBe(replaceAnswers(page, await askQuestions(files, readQuestions(questions))));
  },
  limitMs(300_000),
);
