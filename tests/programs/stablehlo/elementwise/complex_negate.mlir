// tolerance: 1e-05
// only: evaluated
// in: draw 1 -1 0.0078125 257
// out: -0.4921875 0.9765625 0.5390625 -0.5078125 0.6484375 0.2578125 0.0078125 -0.5546875 0.6875 0.4296875 -0.3515625 -0.2890625 -0.5390625 0.1328125 0.53125 0.453125
func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %y = stablehlo.negate %x : tensor<8xcomplex<f32>>
  return %y : tensor<8xcomplex<f32>>
}
