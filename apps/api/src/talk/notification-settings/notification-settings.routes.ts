import { notificationSettings } from '@nearhand/contract/talk/notification-settings';
import { read, write } from '../../platform/http/bind.ts';
import { readNotificationSettings, updateNotificationSettings } from './notification-settings.service.ts';

export const notificationSettingsRoutes = {
  get: read(notificationSettings.get, readNotificationSettings),
  update: write(notificationSettings.update, updateNotificationSettings),
};
