import { accountSettings } from '@nearhand/contract/people/account-settings';
import { read, write } from '../../platform/http/bind.ts';
import { getAccountSettings, updateAccountSettings } from './account-settings.service.ts';

export const accountSettingsRoutes = {
  get: read(accountSettings.get, getAccountSettings),
  update: write(accountSettings.update, updateAccountSettings),
};
