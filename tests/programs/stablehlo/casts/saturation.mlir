// tolerance: 2e-05
// in: 127.875 128 -129 300 -1 1e10 -1e10 0.5 1.5 -1.5 4e9
// out: 127 127 -128 127 -1 127 -128 0 1 -1 127
// out: 127 128 0 255 0 255 0 0 1 0 255
// out: 127 128 -129 300 -1 2147483647 -2147483648 0 1 -1 2147483647
// out: 127 128 0 300 0 4294967295 0 0 1 0 4000000000
// cost: 60 instructions, 1124091 ticks
module {
  func.func public @main(%arg0: tensor<11xf32>) -> (tensor<11xi8>, tensor<11xui8>, tensor<11xi32>, tensor<11xui32>) {
    %0 = stablehlo.convert %arg0 : (tensor<11xf32>) -> tensor<11xi8>
    %1 = stablehlo.convert %arg0 : (tensor<11xf32>) -> tensor<11xui8>
    %2 = stablehlo.convert %arg0 : (tensor<11xf32>) -> tensor<11xi32>
    %3 = stablehlo.convert %arg0 : (tensor<11xf32>) -> tensor<11xui32>
    return %0, %1, %2, %3 : tensor<11xi8>, tensor<11xui8>, tensor<11xi32>, tensor<11xui32>
  }
}
