import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../components/button/button';
import { DeedFault } from '../../../components/states/deed-fault';
import { call } from '../../../data/catalog';
import { toCsv } from '../../../data/csv';
import { saveText } from '../../../data/download';
import { nameFromUrn, splitUrn } from '../../../data/urns';
import { typeInWords } from '../../../data/words';
import type { LineageAddress } from '../lineage-address';

/** The most that a call names. */
const MOST = 1_000;
const HEAD = ['name', 'type', 'hops', 'urn', 'path'];

/** Saves what depends on an entity or a column as CSV: an entity a line, the nearest first. */
export function SaveImpact({ address: { urn, column, atMs } }: { readonly address: LineageAddress }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const { answer } = await call('GET /lineage/:urn/impact', {
        urn,
        count: MOST,
        ...(column === undefined ? {} : { column }),
        ...(atMs === undefined ? {} : { asOf: atMs }),
      });
      const rows = answer.nearest.map(({ entity, degree, path }) => [
        nameFromUrn(entity),
        typeInWords(splitUrn(entity).type),
        degree,
        entity,
        path.join(' → '),
      ]);
      saveText(toCsv([HEAD, ...rows]), 'impact.csv');
    },
  });
  return (
    <>
      <Button icon="download" isBusy={isPending} onClick={() => mutate()}>
        Save as CSV
      </Button>
      <DeedFault error={error} />
    </>
  );
}
