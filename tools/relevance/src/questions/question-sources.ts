import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stratalog/harness';

/** The files that are loaded, and the file with the questions about them. */
export interface QuestionSource {
  readonly files: readonly string[];
  readonly questions: string;
}

/** The sample catalog and our connector files, so that the answers can be repeated with this repository alone. */
export function ownSource(): QuestionSource {
  return {
    files: [
      ...listFiles(join(ROOT, 'apps/standalone/demo'), '.jsonl'),
      ...listFiles(join(ROOT, 'libs/testkit/connector-data/data'), '.json'),
    ],
    questions: join(ROOT, 'tools/relevance/questions.yaml'),
  };
}

/** The connector files of a folder. **Errors**: throws when the folder has none. */
export function folderSource(folder: string, questions: string): QuestionSource {
  const files = listFiles(folder, '.json');
  if (files.length === 0) throw new Error(`${folder} has no connector files (*.json)`);
  return { files, questions };
}

function listFiles(folder: string, extension: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => join(folder, name));
}
