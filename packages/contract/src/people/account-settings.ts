import { z } from 'zod';
import { languages } from '../languages.ts';
import { operation } from '../operation.ts';
import { appearances, clockFormats, distanceUnits, startSides } from './profile-choices.ts';

const choices = {
  appearance: z.enum(appearances),
  units: z.enum(distanceUnits),
  clock: z.enum(clockFormats),
  startSide: z.enum(startSides),
  language: z.enum(languages),
};

/** Settings of an account on all its devices. Null: never chosen, so each device keeps its own. */
export const accountSettingsView = z.object({
  appearance: choices.appearance.nullable(),
  units: choices.units.nullable(),
  clock: choices.clock.nullable(),
  startSide: choices.startSide.nullable(),
  language: choices.language.nullable(),
});
export type AccountSettings = z.infer<typeof accountSettingsView>;

/** The caller's own settings (spec: `/account-settings`). Name, photo and phone are the profile's. */
export const accountSettings = {
  get: operation({ access: 'signed-in', errors: [] })
    .route({ method: 'GET', path: '/me/settings', summary: 'Get your settings' })
    .output(accountSettingsView),
  update: operation({ access: 'signed-in', errors: [], effects: [], whileSuspended: 'account' })
    .route({ method: 'PATCH', path: '/me/settings', summary: 'Change settings; absent ones stay' })
    .input(z.object(choices).partial())
    .output(accountSettingsView),
};
