// in: draw 1 -128 1 256
// out: hash b96e362ab5b0311a
// out: hash cbc34516d312e741
// out: hash d8f8420df20222a1
// cost: 12 instructions, 701350 ticks
module {
  func.func public @main(%arg0: tensor<5x30xi8>) -> (tensor<5x30xi8>, tensor<5x30xi8>, tensor<5x30xi8>) {
    %0 = stablehlo.sign %arg0 : tensor<5x30xi8>
    %c = stablehlo.constant dense<2> : tensor<i8>
    %c_0 = stablehlo.constant dense<9> : tensor<i8>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i8>) -> tensor<5x30xi8>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i8>) -> tensor<5x30xi8>
    %3 = stablehlo.clamp %1, %arg0, %2 : tensor<5x30xi8>
    %4 = stablehlo.multiply %arg0, %arg0 : tensor<5x30xi8>
    return %0, %3, %4 : tensor<5x30xi8>, tensor<5x30xi8>, tensor<5x30xi8>
  }
}
