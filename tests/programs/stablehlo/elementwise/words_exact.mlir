// in: draw 1 0 1 4294967296
// in: draw 2 0 1 4294967296
// out: hash 1a0384e034cd9c59
// out: hash 81f3d88ab9eeac9b
// out: hash 5e313ed5f834ed06
// out: hash 57e4891a124bc4d0
// cost: 16 instructions, 799279 ticks
module {
  func.func public @main(%arg0: tensor<300xui32>, %arg1: tensor<300xui32>) -> (tensor<300xui32>, tensor<300xui32>, tensor<300xui32>, tensor<300xui32>) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<300xui32>
    %1 = stablehlo.add %arg0, %arg1 : tensor<300xui32>
    %2 = stablehlo.subtract %arg0, %arg1 : tensor<300xui32>
    %3 = stablehlo.maximum %arg0, %arg1 : tensor<300xui32>
    return %0, %1, %2, %3 : tensor<300xui32>, tensor<300xui32>, tensor<300xui32>, tensor<300xui32>
  }
}
