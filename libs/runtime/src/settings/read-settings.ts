import { InvalidSettingError, didYouMean } from '@stratalog/domain';
import { givenSetting, isSetting, type Setting, type ValuesOf } from './setting-kinds';

const PASSWORD_IN_URL = /\/\/[^/]*@/;

/**
 * Reads the values of settings from the environment.
 *
 * **Errors**: `InvalidSettingError` naming the setting, its value and the permitted values.
 */
export function readSettings<G extends object>(
  settings: G,
  environment: Readonly<Record<string, string | undefined>>,
  isDistributed: boolean,
): ValuesOf<G> {
  const values = Object.entries(settings).map(([key, each]: [string, object]) => [
    key,
    isSetting(each)
      ? readSetting(each, givenSetting(environment, each.name), isDistributed)
      : readSettings(each, environment, isDistributed),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as ValuesOf<G>;
}

function readSetting(setting: Setting, given: string | undefined, isDistributed: boolean): unknown {
  const { distributedFallback, fallback, schema, words = [], allowed } = setting;
  const text = given ?? (isDistributed ? distributedFallback : undefined) ?? fallback;
  if (text === undefined) return undefined;
  const { success, data } = schema.safeParse(text);
  if (success) return data;
  const isSecret = setting.secret === true || PASSWORD_IN_URL.test(text);
  throw rejectedSetting(
    setting.name,
    isSecret ? '(not shown)' : `"${text}"`,
    allowed + didYouMean(text, words),
  );
}

export function rejectedSetting(name: string, shown: string, allowed: string): InvalidSettingError {
  return new InvalidSettingError(`${name} is ${shown}; allowed: ${allowed}`);
}
