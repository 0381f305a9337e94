import { notifications } from '@nearhand/contract/notifications';
import { read, write } from '../../platform/http/bind.ts';
import { listNotifications, readNotifications } from './notifications.service.ts';

export const notificationsRoutes = {
  list: read(notifications.list, listNotifications),
  read: write(notifications.read, readNotifications),
};
