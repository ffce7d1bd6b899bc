// Reports the fence's messages for pieces of code: reads `[{file, code}]` as JSON from stdin, and writes the
// messages of each to stdout. The files need not exist. Only the rules of the fence run, without types, so
// that a hundred cases take a few seconds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';

const ROOT = join(import.meta.dirname, '../..');
const FENCE = [
  '@nx/enforce-module-boundaries',
  '@typescript-eslint/no-restricted-imports',
  'no-restricted-imports',
  'no-restricted-syntax',
];

const eslint = new ESLint({
  cwd: ROOT,
  overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions: { project: null } } },
  ruleFilter: ({ ruleId }) => FENCE.includes(ruleId),
});
const answers = [];
for (const { file, code } of JSON.parse(readFileSync(0, 'utf8'))) {
  const results = await eslint.lintText(code, { filePath: join(ROOT, file) });
  answers.push(
    results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
  );
}
process.stdout.write(JSON.stringify(answers));
