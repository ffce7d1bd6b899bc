import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

const questionsSchema = z.array(
  z.strictObject({
    ask: z.string(),
    /** The intention of the user. */
    for: z.string(),
    /** Urns of the entities that answer it, without `urn:li:`; an asterisk stands for any text. */
    answers: z.array(z.string()),
    /** The spelling that an answer without hits has to suggest. */
    suggests: z.string().optional(),
  }),
);

export type Question = z.output<typeof questionsSchema>[number];

/** Reads the questions of a file. **Errors**: throws for a file of another form. */
export function readQuestions(file: string): readonly Question[] {
  return questionsSchema.parse(parse(readFileSync(file, 'utf8')));
}

/** True when one of the answers of a question means the entity. */
export function isAnswer({ answers }: Pick<Question, 'answers'>, urn: string): boolean {
  return answers.some((answer) => {
    const parts = answer.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^urn:li:${parts.join('.*')}$`).test(urn);
  });
}
