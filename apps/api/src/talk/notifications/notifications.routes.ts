import { notifications } from '@nearhand/contract/talk/notifications';
import { read, write } from '../../platform/http/bind.ts';
import { listNotifications, openNotification, readNotifications } from './notifications.ts';
import { testNotification } from './test-notice.ts';

export const notificationsRoutes = {
  list: read(notifications.list, listNotifications),
  read: write(notifications.read, readNotifications),
  open: write(notifications.open, openNotification),
  test: write(notifications.test, testNotification),
};
