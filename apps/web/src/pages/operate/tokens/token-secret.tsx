import { useState } from 'react';
import { Button } from '../../../components/button/button';
import { Dialog } from '../../../components/overlay/dialog';
import css from '../operate.module.css';

interface TokenSecretProps {
  readonly secret: string;
  readonly onStored: () => void;
}

/** Shows a secret the only time that it can be seen. Escape or a click beside it do not close it: the secret would be gone. */
export function TokenSecret({ secret, onStored }: TokenSecretProps) {
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog label="The token" onClose={() => undefined}>
      <div className={css.form}>
        <h2>The token</h2>
        <p>Copy it now: the catalog keeps only a hash of it, and shows it never again.</p>
        <output className={css.secret}>{secret}</output>
        <div className={css.row}>
          <Button
            icon={isCopied ? 'check' : 'copy'}
            onClick={() => void navigator.clipboard.writeText(secret).then(() => setCopied(true))}
          >
            {isCopied ? 'Copied' : 'Copy'}
          </Button>
          <Button kind="primary" onClick={onStored}>
            I have stored it
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
