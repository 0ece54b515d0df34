// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: 0.4921875 0 -0.9765625 0 -0.5390625 0 0.5078125 0 -0.6484375 0 -0.2578125 0
func.func @main(%x: tensor<6xf32>) -> tensor<6xcomplex<f32>> {
  %y = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6xcomplex<f32>>
  return %y : tensor<6xcomplex<f32>>
}
