import { settings } from '@nearhand/contract/people/settings';
import { read } from '../../platform/http/bind.ts';
import { getSettings } from './settings.service.ts';

export const settingsRoutes = {
  get: read(settings.get, getSettings),
};
