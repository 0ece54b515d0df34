// in: draw 1 0 1 7
// in: draw 2 0 1 7
// out: hash ef9d453546e73360
// out: hash f06c51eaa51068a1
// out: hash 2ccbc5aaa2ddf40a
// out: hash d965b8d9ec2154af
// out: hash 47c591bcbb0ae39d
// out: hash 55120c7fce39f094
// cost: 29 instructions, 850654 ticks
module {
  func.func public @main(%arg0: tensor<40x5xi32>, %arg1: tensor<40x5xi32>) -> (tensor<40x5xi32>, tensor<40x5xi32>, tensor<40x5xi32>, tensor<40x5xi32>, tensor<40x5xf32>, tensor<40x5xi1>) {
    %0 = stablehlo.and %arg0, %arg1 : tensor<40x5xi32>
    %1 = stablehlo.or %arg0, %arg1 : tensor<40x5xi32>
    %2 = stablehlo.xor %arg0, %arg1 : tensor<40x5xi32>
    %3 = stablehlo.not %arg0 : tensor<40x5xi32>
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<-2.500000e+00> : tensor<f32>
    %4 = call @_where(%arg0, %cst, %cst_0) : (tensor<40x5xi32>, tensor<f32>, tensor<f32>) -> tensor<40x5xf32>
    %5 = stablehlo.compare EQ, %arg0, %arg1, SIGNED : (tensor<40x5xi32>, tensor<40x5xi32>) -> tensor<40x5xi1>
    return %0, %1, %2, %3, %4, %5 : tensor<40x5xi32>, tensor<40x5xi32>, tensor<40x5xi32>, tensor<40x5xi32>, tensor<40x5xf32>, tensor<40x5xi1>
  }
  func.func private @_where(%arg0: tensor<40x5xi32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<40x5xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40x5xi32>
    %1 = stablehlo.compare NE, %arg0, %0, SIGNED : (tensor<40x5xi32>, tensor<40x5xi32>) -> tensor<40x5xi1>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<40x5xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<40x5xf32>
    %4 = stablehlo.select %1, %2, %3 : tensor<40x5xi1>, tensor<40x5xf32>
    return %4 : tensor<40x5xf32>
  }
}
