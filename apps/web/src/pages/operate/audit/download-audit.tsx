import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { DeedFault } from '../../../components/states/deed-fault';
import { download } from '../../../data/download';
import type { AuditSelection } from './audit-page';

/** All records of the selection as a file, one a line. */
export function DownloadAudit({ selection }: { readonly selection: AuditSelection }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await download('GET /operations/audit', { ...selection, format: 'jsonl' }, 'audit.jsonl');
    } catch (fault) {
      setError(fault instanceof Error ? fault : new Error(String(fault)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button icon="download" isBusy={isBusy} onClick={() => void run()}>
        Download as JSON Lines
      </Button>
      <DeedFault error={error} />
    </>
  );
}
