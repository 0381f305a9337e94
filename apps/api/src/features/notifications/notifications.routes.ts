import { notifications } from '@nearhand/contract/notifications';
import { read, write } from '../../platform/http/bind.ts';
import { addDevice, removeDevice, testNotification } from './devices.service.ts';
import { chooseNotifications, notificationSettings } from './notification-settings.service.ts';
import { listNotifications, openNotification, readNotifications } from './notifications.service.ts';

export const notificationsRoutes = {
  list: read(notifications.list, listNotifications),
  read: write(notifications.read, readNotifications),
  open: write(notifications.open, openNotification),
  settings: read(notifications.settings, notificationSettings),
  choose: write(notifications.choose, chooseNotifications),
  addDevice: write(notifications.addDevice, addDevice),
  removeDevice: write(notifications.removeDevice, removeDevice),
  test: write(notifications.test, testNotification),
};
