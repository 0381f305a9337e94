import {
  type DisplayedLimit,
  displayedLimits,
  type SettingsView,
  settings,
} from '@nearhand/contract/people/settings';
import { companyLines } from '../../platform/config/config-company.ts';
import { mapHostOf } from '../../platform/config/config-places.ts';
import { snakeCase } from '../../platform/database/column-names.ts';
import type { Db } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';

/** Returns the configured limits that clients display instead of the defaults (ADR 63). For anyone. */
async function getSettings(_db: Db, { config }: Scope<Actor | null>): Promise<SettingsView> {
  return {
    operator: config.PLATFORM_COMPANY ? companyLines(config.PLATFORM_COMPANY).join(', ') : '',
    contactEmail: config.CONTACT_EMAIL ?? '',
    settlementBody: config.SETTLEMENT_BODY ?? '',
    settlementBodyUrl: config.SETTLEMENT_BODY_URL ?? '',
    mapHost: mapHostOf(config) ?? '',
    payFloors: config.PAY_FLOORS,
    ...configuredLimits(config),
  };
}

type SettingName<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? '' : '_'}${Uppercase<Letter>}${SettingName<Rest>}`
  : '';

function configuredLimits(config: Record<SettingName<DisplayedLimit>, number>) {
  const settingOf = (name: DisplayedLimit) => snakeCase(name).toUpperCase() as SettingName<DisplayedLimit>;
  return Object.fromEntries(displayedLimits.map((name) => [name, config[settingOf(name)]])) as Record<
    DisplayedLimit,
    number
  >;
}

export const settingsRoutes = {
  get: read(settings.get, getSettings),
};
