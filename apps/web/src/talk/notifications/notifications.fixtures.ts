import type { Notification } from '@nearhand/contract/talk/notifications';

export const sampleNotice = (change: Partial<Notification> = {}): Notification => ({
  id: '0193aaaa-0000-7000-8000-0000000000e1',
  topic: 'application-viewed',
  data: { businessName: 'Hotel Brouwers', jobTitle: 'Front desk, evenings', side: 'worker' },
  path: '/tabs/menu/my-work/0193aaaa-0000-7000-8000-0000000000c1',
  createdAt: '2026-11-21T10:04:00Z',
  readAt: null,
  group: null,
  waiting: false,
  ...change,
});
