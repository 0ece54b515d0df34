// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash e51d14c4fc52eb10
// cost: 15 instructions, 738018 ticks
module {
  func.func public @main(%arg0: tensor<33x33xf32>) -> (tensor<33x33xf32>) {
    %0 = call @tril(%arg0) : (tensor<33x33xf32>) -> tensor<33x33xf32>
    %1 = call @triu(%arg0) : (tensor<33x33xf32>) -> tensor<33x33xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<33x33xf32>
    return %2 : tensor<33x33xf32>
  }
  func.func private @tril(%arg0: tensor<33x33xf32>) -> tensor<33x33xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<33x33xi32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<33x33xi32>
    %2 = stablehlo.add %0, %1 : tensor<33x33xi32>
    %3 = stablehlo.iota dim = 1 : tensor<33x33xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<33x33xi32>, tensor<33x33xi32>) -> tensor<33x33xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<33x33xf32>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<33x33xi1>, tensor<33x33xf32>
    return %6 : tensor<33x33xf32>
  }
  func.func private @triu(%arg0: tensor<33x33xf32>) -> tensor<33x33xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<33x33xi32>
    %c = stablehlo.constant dense<-2> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<33x33xi32>
    %2 = stablehlo.add %0, %1 : tensor<33x33xi32>
    %3 = stablehlo.iota dim = 1 : tensor<33x33xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<33x33xi32>, tensor<33x33xi32>) -> tensor<33x33xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<33x33xf32>
    %6 = stablehlo.select %4, %5, %arg0 : tensor<33x33xi1>, tensor<33x33xf32>
    return %6 : tensor<33x33xf32>
  }
}
