import { useState } from 'react';
import type { AnswerOf } from '@stratalog/client';
import { Button } from '../../../components/button/button';
import { EntityChip } from '../../../components/entity/entity-link';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { StatusChip } from '../../../components/status/status-chip';
import { EmptyState, Loaded } from '../../../components/states/states';
import { DataTable, type TableColumn } from '../../../components/table/data-table';
import { RelativeTime } from '../../../components/text/relative-time';
import { dateText } from '../../../data/times';
import { useCall } from '../../../data/use-call';
import { useDeed } from '../../../data/use-deed';
import { Field, OperatePage } from '../operate-parts';
import css from '../operate.module.css';
import { MakeToken } from './make-token';
import { TokenSecret } from './token-secret';

const LIST = 'GET /operations/tokens';
type Token = NonNullable<AnswerOf<typeof LIST>>['tokens'][number];
type Opened = { readonly kind: 'make' } | { readonly kind: 'rotate' | 'revoke'; readonly token: Token };

/** Who may call the catalog, and for what. */
export function TokensPage() {
  const listed = useCall(LIST, { count: 1_000 });
  const [opened, setOpened] = useState<Opened>();
  const [secret, setSecret] = useState<string>();
  const show = (made: string): void => {
    setOpened(undefined);
    setSecret(made);
  };
  const close = (): void => setOpened(undefined);
  return (
    <OperatePage
      title="Tokens"
      deeds={
        <Button
          kind="primary"
          icon="plus"
          disabled={listed.data === undefined}
          onClick={() => setOpened({ kind: 'make' })}
        >
          Make a token
        </Button>
      }
    >
      <Loaded query={listed} what="The tokens">
        {({ tokens }) =>
          tokens.length === 0 ? (
            <EmptyState title="No tokens yet">
              <p>
                A token lets a person or a program call the catalog. That of the operator is not in this list.
              </p>
            </EmptyState>
          ) : (
            <DataTable label="Tokens" columns={columns(setOpened)} rows={tokens} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {opened?.kind === 'make' && <MakeToken onMade={show} onClose={close} />}
      {opened?.kind === 'rotate' && <RotateToken token={opened.token} onMade={show} onClose={close} />}
      {opened?.kind === 'revoke' && <RevokeToken token={opened.token} onClose={close} />}
      {secret !== undefined && <TokenSecret secret={secret} onStored={() => setSecret(undefined)} />}
    </OperatePage>
  );
}

function columns(open: (opened: Opened) => void): readonly TableColumn<Token>[] {
  return [
    {
      name: 'name',
      header: 'Name',
      cell: ({ name, id }) => (
        <span className={css.two}>
          <bdi>{name}</bdi>
          <code>{id}</code>
        </span>
      ),
    },
    { name: 'state', header: 'State', cell: (token) => <State token={token} /> },
    {
      name: 'scopes',
      header: 'Scopes',
      cell: (token) => (
        <span className={css.two}>
          <span>{token.scopes.length === 0 ? 'None' : token.scopes.join(', ')}</span>
          <span className={css.note}>{limitsOf(token)}</span>
        </span>
      ),
    },
    { name: 'actor', header: 'Acts as', cell: ({ actor }) => <EntityChip urn={actor} /> },
    {
      name: 'used',
      header: 'Last used',
      cell: ({ lastUsedMillis }) =>
        lastUsedMillis === undefined ? 'Never' : <RelativeTime ms={lastUsedMillis} />,
    },
    {
      name: 'expires',
      header: 'Expires',
      cell: ({ expiresMillis }) => (expiresMillis === undefined ? 'Never' : dateText(expiresMillis)),
    },
    {
      name: 'deeds',
      header: 'Deeds',
      cell: (token) =>
        token.state === 'revoked' ? null : (
          <span className={css.whole}>
            {token.state === 'valid' && (
              <Button
                size="small"
                aria-label={`Rotate ${token.name}`}
                onClick={() => open({ kind: 'rotate', token })}
              >
                Rotate
              </Button>
            )}{' '}
            <Button
              size="small"
              kind="danger"
              aria-label={`Revoke ${token.name}`}
              onClick={() => open({ kind: 'revoke', token })}
            >
              Revoke
            </Button>
          </span>
        ),
    },
  ];
}

function limitsOf({ entityTypes, platforms, calls }: Token): string {
  const limits = [
    ...(entityTypes === undefined ? [] : [`types ${entityTypes.join(', ')}`]),
    ...(platforms === undefined ? [] : [`platforms ${platforms.join(', ')}`]),
    ...(calls === undefined ? [] : [`calls ${calls.join(', ')}`]),
  ];
  return limits.length === 0 ? '' : `only ${limits.join('; ')}`;
}

function State({ token: { state } }: { readonly token: Token }) {
  if (state === 'valid')
    return (
      <StatusChip look="good" icon="circleCheck">
        Valid
      </StatusChip>
    );
  return state === 'expired' ? (
    <StatusChip look="plain" icon="clock">
      Expired
    </StatusChip>
  ) : (
    <StatusChip look="plain" icon="ban">
      Revoked
    </StatusChip>
  );
}

interface RotateProps {
  readonly token: Token;
  readonly onMade: (secret: string) => void;
  readonly onClose: () => void;
}

const OVERLAPS = [
  ['0', 'At once'],
  ['3600', 'After an hour'],
  ['86400', 'After a day'],
  ['604800', 'After a week'],
] as const;

function RotateToken({ token, onMade, onClose }: RotateProps) {
  const rotate = useDeed('POST /operations?action=rotateToken', [LIST]);
  const [overlap, setOverlap] = useState('3600');
  return (
    <ConfirmDialog
      title={`Rotate ${token.name}`}
      deed="Make a new secret"
      isBusy={rotate.isPending}
      error={rotate.error}
      onClose={onClose}
      onConfirm={() =>
        rotate.mutate(
          { id: token.id, overlapSeconds: Number(overlap) },
          { onSuccess: ({ answer }) => onMade(answer.token) },
        )
      }
    >
      <p>The token gets a new secret. Name, scopes and limits stay.</p>
      <Field label="The secret of today ends">
        <select value={overlap} onChange={({ target }) => setOverlap(target.value)}>
          {OVERLAPS.map(([seconds, text]) => (
            <option key={seconds} value={seconds}>
              {text}
            </option>
          ))}
        </select>
      </Field>
    </ConfirmDialog>
  );
}

function RevokeToken({ token, onClose }: Pick<RotateProps, 'token' | 'onClose'>) {
  const revoke = useDeed('POST /operations?action=revokeToken', [LIST]);
  return (
    <ConfirmDialog
      title={`Revoke ${token.name}`}
      deed="Revoke the token"
      kind="danger"
      isBusy={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onConfirm={() => revoke.mutate({ id: token.id }, { onSuccess: onClose })}
    >
      <p>
        Whoever calls the catalog with <strong>{token.name}</strong> is rejected from now on. This cannot be
        undone.
      </p>
    </ConfirmDialog>
  );
}
