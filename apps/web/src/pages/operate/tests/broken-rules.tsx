import type { AnswerOf } from '@stratalog/client';
import { Loaded, Skeleton } from '../../../components/states/states';
import { useCall } from '../../../data/use-call';
import css from '../operate.module.css';

type Detail = NonNullable<NonNullable<AnswerOf<'POST /test?action=evaluate'>>['details']>[number];
type Failure = NonNullable<Detail['failures']>[number];

/** Why an entity fails a test now: its rules that do not hold, in words. */
export function BrokenRules({ test, urn }: { readonly test: string; readonly urn: string }) {
  const explained = useCall('POST /test?action=evaluate', { urn, tests: [test], explain: true });
  return (
    <Loaded query={explained} what="The reasons" skeleton={<Skeleton lines={1} />}>
      {({ details = [] }) => {
        const [detail] = details;
        if (detail === undefined)
          return <p className={css.note}>The test is not about this entity any more.</p>;
        if (detail.outcome === 'passing') return <p className={css.note}>It passes by now.</p>;
        return <Reasons of={detail} />;
      }}
    </Loaded>
  );
}

/** The rules that an entity breaks, or why it could not be evaluated. */
export function Reasons({
  of: { failures = [], reason },
}: {
  readonly of: Pick<Detail, 'failures' | 'reason'>;
}) {
  return (
    <ul className={css.wide}>
      {failures.map((failure) => (
        <li key={failure.rule}>
          <bdi>{inWords(failure)}</bdi>
        </li>
      ))}
      {reason !== undefined && (
        <li>
          <bdi>{reason}</bdi>
        </li>
      )}
    </ul>
  );
}

function inWords({ property, operator, negated, expected, found }: Failure): string {
  const must = negated === true ? 'must not' : 'must';
  const rule =
    operator === 'exists'
      ? `${property} ${must} have a value`
      : `${property} ${must} ${operator.replaceAll('_', ' ')} ${expected.map(String).join(', ')}`;
  return `${rule}; it has ${found.length === 0 ? 'none' : found.join(', ')}`;
}
