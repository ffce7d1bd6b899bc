import { formatTable, replaceBetween, shortenUrn } from '../report/format-page';
import { isAnswered, type Answer } from './ask-questions';

const BEGIN = '<!-- answers: written by npm run relevance -- --questions <folder> --write-page -->';
const END = '<!-- end of answers -->';

/** Formats the answers as a table, with the sum below it. */
export function formatAnswers(answers: readonly Answer[]): string {
  const rows = answers.map(({ question, total, urns, rank, fallback, suggestions }) => [
    `\`${question.ask}\``,
    question.for,
    `${String(total)}${fallback === undefined ? '' : ` by ${fallback}`}`,
    rank === undefined ? 'none' : String(rank),
    urns[0] === undefined ? suggested(suggestions) : `\`${shortenUrn(urns[0])}\``,
  ]);
  const first = answers.filter(isAnswered).length;
  return `${formatTable([['question', 'a user looks for', 'hits', 'rank of the answer', 'first hit'], ...rows])}
${String(first)} of ${String(answers.length)} questions are answered by the first hit, or by the right suggestion.
`;
}

/** Replaces the answers between the markers of the page. **Errors**: an `Error` when a marker is missing. */
export function replaceAnswers(page: string, answers: readonly Answer[]): string {
  return replaceBetween(page, { begin: BEGIN, end: END }, formatAnswers(answers));
}

function suggested(suggestions: readonly string[]): string {
  return suggestions.length === 0
    ? 'none'
    : `suggests ${suggestions.map((text) => `\`${text}\``).join(', ')}`;
}
