import { useMutation } from '@tanstack/react-query';
import { Button, IconButton } from '../../../components/button/button';
import { Icon } from '../../../components/icon/icon';
import { useStore } from '../../../data/store';
import { saved, type Saved } from './saved';
import css from './saved-toast.module.css';

/** Says what was saved, with the way back. It stays until it is closed: nobody has to hurry. */
export function SavedToast({ urn }: { readonly urn: string }) {
  const last = useStore(saved);
  return (
    <div role="status">
      {last?.urn === urn && <Message key={`${last.aspectName} ${last.text}`} last={last} />}
    </div>
  );
}

function Message({ last: { text, undo } }: { readonly last: Saved }) {
  const undoing = useMutation({ mutationFn: async () => undo?.() });
  return (
    <div className={css.toast}>
      <Icon name={undoing.error === null ? 'circleCheck' : 'circleX'} />
      <span>{undoing.error === null ? text : `Not undone: ${undoing.error.message}`}</span>
      {undo !== undefined && undoing.error === null && (
        <Button kind="quiet" isBusy={undoing.isPending} onClick={() => undoing.mutate()}>
          Undo
        </Button>
      )}
      <IconButton icon="x" label="Close the message" onClick={() => saved.set(undefined)} />
    </div>
  );
}
