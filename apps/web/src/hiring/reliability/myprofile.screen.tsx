import { MyProfile } from '../../people/profiles/my-profile.tsx';
import { OwnReliability } from './own-reliability.tsx';

export default function MyProfileScreen() {
  return <MyProfile below={<OwnReliability />} />;
}
