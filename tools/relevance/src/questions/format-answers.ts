import { replaceBetween, shortenUrn } from '../report/format-page';
import { isAnswered, type Answer } from './ask-questions';

const BEGIN = '<!-- answers: written by npm run relevance -- --questions --write-page -->';
const END = '<!-- end of answers -->';

/** Formats the answers as a list, with the sum below it. */
export function formatAnswers(answers: readonly Answer[]): string {
  const first = answers.filter(isAnswered).length;
  return `${answers.map(formatAnswer).join('')}
${String(first)} of ${String(answers.length)} questions are answered by the first hit, or by the right suggestion.
`;
}

function formatAnswer({ question, total, urns, rank, fallback, suggestions }: Answer): string {
  const hits = `${String(total)} ${total === 1 ? 'hit' : 'hits'}${fallback === undefined ? '' : ` by ${fallback}`}`;
  const answer = rank === undefined ? 'no answer' : `answer at ${String(rank)}`;
  const first = urns[0] === undefined ? suggested(suggestions) : `first \`${shortenUrn(urns[0])}\``;
  return `- \`${question.ask}\`: ${question.for}\\\n  ${hits}, ${answer}, ${first}\n`;
}

/** Replaces the answers between the markers of the page. **Errors**: an `Error` when a marker is missing. */
export function replaceAnswers(page: string, answers: readonly Answer[]): string {
  return replaceBetween(page, { begin: BEGIN, end: END }, formatAnswers(answers));
}

function suggested(suggestions: readonly string[]): string {
  return suggestions.length === 0
    ? 'no suggestion'
    : `suggests ${suggestions.map((text) => `\`${text}\``).join(', ')}`;
}
