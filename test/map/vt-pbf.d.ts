declare module "vt-pbf" {
  const encoder: {
    fromGeojsonVt(layers: Readonly<Record<string, object>>, options: { version: number }): Uint8Array;
  };
  export default encoder;
}
