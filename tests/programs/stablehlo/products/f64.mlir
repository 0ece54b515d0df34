// tolerance: 1e-12
// only: evaluated
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: -1.2796630859375 -0.04742431640625 0.04974365234375 0.95538330078125 -0.23651123046875 -0.02227783203125 -0.23150634765625 -0.54302978515625 -0.0224609375 0.60357666015625 0.55810546875 0.01751708984375
func.func @main(%x: tensor<4x5xf64>, %y: tensor<5x3xf64>) -> tensor<4x3xf64> {
  %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x5xf64>, tensor<5x3xf64>) -> tensor<4x3xf64>
  return %z : tensor<4x3xf64>
}
