// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 26.5535785 31.5964131 26.1090868 25.6176287 37.671702 26.085696 34.4565531 28.6678627 19.0109746 23.6909928 21.7166401 24.8066981 35.1827652 46.29128 17.2868136 39.1623787
// cost: 67 instructions, 9612620 ticks
module {
  func.func public @main(%arg0: tensor<8x30xf32>) -> (tensor<8x30xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg0) : tensor<i32>, tensor<i32>, tensor<8x30xf32>
    cond {
      %c_3 = stablehlo.constant dense<6> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = func.call @closed_call(%iterArg_1, %iterArg_2) : (tensor<i32>, tensor<8x30xf32>) -> (tensor<i32>, tensor<8x30xf32>)
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      stablehlo.return %2, %1#0, %1#1 : tensor<i32>, tensor<i32>, tensor<8x30xf32>
    }
    return %0#2 : tensor<8x30xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<8x30xf32>) -> (tensor<i32>, tensor<8x30xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.subtract %arg0, %c_0 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.maximum %1, %c_1 : tensor<i32>
    %c_2 = stablehlo.constant dense<3> : tensor<i32>
    %3 = stablehlo.compare LT, %2, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.negate %arg0 : tensor<i32>
    %c_3 = stablehlo.constant dense<-1> : tensor<i32>
    %5 = stablehlo.minimum %4, %c_3 : tensor<i32>
    %c_4 = stablehlo.constant dense<-5> : tensor<i32>
    %6 = stablehlo.compare GT, %5, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<false> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<i1>
    %8 = stablehlo.compare NE, %3, %7, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %9 = stablehlo.convert %8 : tensor<i1>
    %c_6 = stablehlo.constant dense<false> : tensor<i1>
    %10 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i1>) -> tensor<i1>
    %11 = stablehlo.compare NE, %6, %10, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %12 = stablehlo.convert %11 : tensor<i1>
    %13 = stablehlo.and %9, %12 : tensor<i1>
    %c_7 = stablehlo.constant dense<2> : tensor<i32>
    %14 = stablehlo.multiply %arg0, %c_7 : tensor<i32>
    %c_8 = stablehlo.constant dense<1> : tensor<i32>
    %15 = stablehlo.subtract %14, %c_8 : tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %c_10 = stablehlo.constant dense<7> : tensor<i32>
    %16 = call @clip(%15, %c_9, %c_10) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.compare LT, %16, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_12 = stablehlo.constant dense<8> : tensor<i32>
    %18 = stablehlo.add %16, %c_12 : tensor<i32>
    %19 = stablehlo.select %17, %18, %16 : tensor<i1>, tensor<i32>
    %20 = stablehlo.convert %19 : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<30xf32>
    %23 = "stablehlo.scatter"(%arg1, %21, %22) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %27 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %27 : tensor<f32>
    }) : (tensor<8x30xf32>, tensor<1xi32>, tensor<30xf32>) -> tensor<8x30xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x30xf32>
    %25 = stablehlo.multiply %arg1, %24 : tensor<8x30xf32>
    %26 = call @_where(%13, %23, %25) : (tensor<i1>, tensor<8x30xf32>, tensor<8x30xf32>) -> tensor<8x30xf32>
    return %0, %26 : tensor<i32>, tensor<8x30xf32>
  }
  func.func private @clip(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.maximum %arg1, %arg0 : tensor<i32>
    %1 = stablehlo.minimum %arg2, %0 : tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<8x30xf32>, %arg2: tensor<8x30xf32>) -> tensor<8x30xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<8x30xf32>
    return %0 : tensor<8x30xf32>
  }
}
