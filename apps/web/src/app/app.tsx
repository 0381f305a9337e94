export function App() {
  return <p>Nearhand</p>;
}
