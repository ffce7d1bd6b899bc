import type { ScopeRule } from '@stratalog/http';
import { SCOPES, type Scope } from '@stratalog/domain';

/**
 * Parses the rule that turns claims into scopes; `undefined` when it is malformed.
 *
 * **Shape**: `<claim>=<value> -> <scopes>` or `* -> <scopes>`, separated by `;`; scopes by `,`.
 */
export function parseScopeRules(text: string): readonly ScopeRule[] | undefined {
  const rules = text.split(';').map(parseRule);
  return rules.every((rule) => rule !== undefined) ? rules : undefined;
}

function parseRule(text: string): ScopeRule | undefined {
  const [condition = '', list, ...rest] = text.split('->').map((part) => part.trim());
  const scopes = (list ?? '').split(',').map((name) => name.trim());
  if (rest.length > 0 || !scopes.every(isScope)) return undefined;
  if (condition === '*') return { scopes };
  const at = condition.indexOf('=');
  const [claim, value] = [condition.slice(0, at).trim(), condition.slice(at + 1).trim()];
  return at === -1 || claim === '' || value === '' ? undefined : { when: { claim, value }, scopes };
}

function isScope(name: string): name is Scope {
  return SCOPES.some((scope) => scope === name);
}
