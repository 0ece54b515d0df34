// in: draw 1 0 1 256
// in: draw 2 0 1 256
// out: hash 8a9ece8c36a6f087
// cost: 9 instructions, 697944 ticks
module {
  func.func public @main(%arg0: tensor<12x40xui8>, %arg1: tensor<40x10xui8>) -> (tensor<12x10xi32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x40xui8>, tensor<40x10xui8>) -> tensor<12x10xi32>
    return %0 : tensor<12x10xi32>
  }
}
