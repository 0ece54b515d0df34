// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 20 10 19 18 15 12 15 14 8 13 15 16 9 21 10 12 18 21 12 14 17 17 12 17 16 10 16 17 11 16 14 14 12 18 15 19 14 17 16 18
// out: hash 5f91c19743543716
// out: 1200 0 0 0
// out: 20971490 10485700 19922911 18874332 15728595 12582858 15728595 14680016 8388542 13631437 15728595 16777174 9437121 22020069 10485700 12582858 18874332 22020069 12582858 14680016 17825753 17825753 12582858 17825753 16777174 10485700 16777174 17825753 11534279 16777174 14680016 14680016 12582858 18874332 15728595 19922911 14680016 17825753 16777174 18874332
// out: 3 6 9 12 15 18 21 21 21 24 27 30 33 36 36 39 42 45 48 51 54 57 60 60 60 60 63 63 66 66
// cost: 143 instructions, 3024463 ticks
module {
  func.func public @main(%arg0: tensor<40x30xf32>) -> (tensor<40xi32>, tensor<40x30xi32>, tensor<4xi32>, tensor<40xi32>, tensor<30xi32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x30xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<40x30xf32>, tensor<40x30xf32>) -> tensor<40x30xi1>
    %2 = stablehlo.convert %1 : (tensor<40x30xi1>) -> tensor<40x30xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.reduce(%2 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<40x30xi32>, tensor<i32>) -> tensor<40xi32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x30xf32>
    %5 = stablehlo.compare GT, %arg0, %4, FLOAT : (tensor<40x30xf32>, tensor<40x30xf32>) -> tensor<40x30xi1>
    %6 = stablehlo.convert %5 : (tensor<40x30xi1>) -> tensor<40x30xi32>
    %7 = call @cumsum(%6) : (tensor<40x30xi32>) -> tensor<40x30xi32>
    %8 = stablehlo.abs %arg0 : tensor<40x30xf32>
    %9 = stablehlo.convert %8 : (tensor<40x30xf32>) -> tensor<40x30xi32>
    %10 = call @_one_hot(%9) : (tensor<40x30xi32>) -> tensor<40x30x4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.reduce(%10 init: %c_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<40x30x4xi32>, tensor<i32>) -> tensor<4xi32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<40x30xf32>
    %13 = stablehlo.compare GT, %arg0, %12, FLOAT : (tensor<40x30xf32>, tensor<40x30xf32>) -> tensor<40x30xi1>
    %c_3 = stablehlo.constant dense<1048576> : tensor<i32>
    %c_4 = stablehlo.constant dense<-3> : tensor<i32>
    %14 = call @_where(%13, %c_3, %c_4) : (tensor<40x30xi1>, tensor<i32>, tensor<i32>) -> tensor<40x30xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.reduce(%14 init: %c_5) applies stablehlo.add across dimensions = [1] : (tensor<40x30xi32>, tensor<i32>) -> tensor<40xi32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<40x30xf32>
    %17 = stablehlo.compare LT, %arg0, %16, FLOAT : (tensor<40x30xf32>, tensor<40x30xf32>) -> tensor<40x30xi1>
    %18 = stablehlo.convert %17 : (tensor<40x30xi1>) -> tensor<40x30xi32>
    %19 = call @cumsum_1(%18) : (tensor<40x30xi32>) -> tensor<40x30xi32>
    %c_7 = stablehlo.constant dense<3> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<40x30xi32>
    %21 = stablehlo.multiply %19, %20 : tensor<40x30xi32>
    %c_8 = stablehlo.constant dense<-2147483648> : tensor<i32>
    %22 = stablehlo.reduce(%21 init: %c_8) applies stablehlo.maximum across dimensions = [0] : (tensor<40x30xi32>, tensor<i32>) -> tensor<30xi32>
    return %3, %7, %11, %15, %22 : tensor<40xi32>, tensor<40x30xi32>, tensor<4xi32>, tensor<40xi32>, tensor<30xi32>
  }
  func.func private @cumsum(%arg0: tensor<40x30xi32>) -> tensor<40x30xi32> {
    %0 = call @cumsum_0(%arg0) : (tensor<40x30xi32>) -> tensor<40x30xi32>
    return %0 : tensor<40x30xi32>
  }
  func.func private @cumsum_0(%arg0: tensor<40x30xi32>) -> tensor<40x30xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[39, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 40, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<40x30xi32>, tensor<i32>) -> tensor<40x30xi32>
    return %1 : tensor<40x30xi32>
  }
  func.func private @_one_hot(%arg0: tensor<40x30xi32>) -> tensor<40x30x4xi32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<40x30xi32>) -> tensor<40x30x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<40x30x1xi32>) -> tensor<40x30x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x4xi32>) -> tensor<40x30x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<40x30x4xi32>, tensor<40x30x4xi32>) -> tensor<40x30x4xi1>
    %5 = stablehlo.convert %4 : (tensor<40x30x4xi1>) -> tensor<40x30x4xi32>
    return %5 : tensor<40x30x4xi32>
  }
  func.func private @_where(%arg0: tensor<40x30xi1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<40x30xi32> {
    %0 = stablehlo.convert %arg2 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<40x30xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<40x30xi32>
    %3 = stablehlo.select %arg0, %1, %2 : tensor<40x30xi1>, tensor<40x30xi32>
    return %3 : tensor<40x30xi32>
  }
  func.func private @cumsum_1(%arg0: tensor<40x30xi32>) -> tensor<40x30xi32> {
    %0 = call @cumsum_2(%arg0) : (tensor<40x30xi32>) -> tensor<40x30xi32>
    return %0 : tensor<40x30xi32>
  }
  func.func private @cumsum_2(%arg0: tensor<40x30xi32>) -> tensor<40x30xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [29, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 30>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<40x30xi32>, tensor<i32>) -> tensor<40x30xi32>
    return %1 : tensor<40x30xi32>
  }
}
