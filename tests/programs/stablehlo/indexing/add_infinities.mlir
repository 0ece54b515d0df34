// tolerance: 1e-05
// in: draw 12 -1 9.5367431640625e-07 2097153
// in: draw 13 0 1 6
// out: sums 17.3157291 16.0767561 27.7098464 33.1314556 14.979298 19.8434323 28.3181083 20.0693445 21.5425251 32.3119072 19.6775111 20.1621894 28.4550598 28.6332622 11.8017094 24.0096624
// out: sums 4.48888065 -2.88757993 0.749282002 0.195652284 3.51069441 1.06236081 0 0 -1.99626745 0 0.394660898 5.08197134 6.82743793 -15.7488328 -2.34345189 3.20333981
// cost: 251 instructions, 4613074 ticks
module {
  func.func public @main(%arg0: tensor<40x6xf32>, %arg1: tensor<40xi32>) -> (tensor<40x6xf32>, tensor<40x6xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %1 = stablehlo.slice %arg0 [0:40, 0:1] : (tensor<40x6xf32>) -> tensor<40x1xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x1xf32>
    %3 = stablehlo.compare GT, %1, %2, FLOAT : (tensor<40x1xf32>, tensor<40x1xf32>) -> tensor<40x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %4 = call @_where(%3, %cst_1, %arg0) : (tensor<40x1xi1>, tensor<f32>, tensor<40x6xf32>) -> tensor<40x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %6 = stablehlo.compare LT, %arg1, %5, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_2 = stablehlo.constant dense<40> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %8 = stablehlo.add %arg1, %7 : tensor<40xi32>
    %9 = stablehlo.select %6, %8, %arg1 : tensor<40xi1>, tensor<40xi32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %11 = "stablehlo.scatter"(%0, %10, %4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %71 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %71 : tensor<f32>
    }) : (tensor<40x6xf32>, tensor<40x1xi32>, tensor<40x6xf32>) -> tensor<40x6xf32>
    %12 = stablehlo.iota dim = 0 : tensor<40xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %14 = stablehlo.compare LT, %12, %13, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_4 = stablehlo.constant dense<40> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %16 = stablehlo.add %12, %15 : tensor<40xi32>
    %17 = stablehlo.select %14, %16, %12 : tensor<40xi1>, tensor<40xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %19 = stablehlo.compare LT, %arg1, %18, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_6 = stablehlo.constant dense<6> : tensor<i32>
    %20 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %21 = stablehlo.add %arg1, %20 : tensor<40xi32>
    %22 = stablehlo.select %19, %21, %arg1 : tensor<40xi1>, tensor<40xi32>
    %23 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %25 = stablehlo.concatenate %23, %24, dim = 1 : (tensor<40x1xi32>, tensor<40x1xi32>) -> tensor<40x2xi32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %28 = stablehlo.iota dim = 0 : tensor<40xui32>
    %c_9 = stablehlo.constant dense<1> : tensor<ui32>
    %29 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<ui32>) -> tensor<40xui32>
    %30 = stablehlo.add %28, %29 : tensor<40xui32>
    %c_10 = stablehlo.constant dense<0> : tensor<ui32>
    %31 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<ui32>) -> tensor<40x6xui32>
    %32 = "stablehlo.scatter"(%31, %25, %30) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<ui32>, %arg3: tensor<ui32>):
      stablehlo.return %arg3 : tensor<ui32>
    }) : (tensor<40x6xui32>, tensor<40x2xi32>, tensor<40xui32>) -> tensor<40x6xui32>
    %33 = "stablehlo.gather"(%32, %25) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<40x6xui32>, tensor<40x2xi32>) -> tensor<40xui32>
    %c_11 = stablehlo.constant dense<0> : tensor<ui32>
    %34 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<ui32>) -> tensor<40x6xui32>
    %35 = stablehlo.compare EQ, %32, %34, UNSIGNED : (tensor<40x6xui32>, tensor<40x6xui32>) -> tensor<40x6xi1>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %37 = stablehlo.select %35, %arg0, %36 : tensor<40x6xi1>, tensor<40x6xf32>
    %38 = stablehlo.compare EQ, %30, %33, UNSIGNED : (tensor<40xui32>, tensor<40xui32>) -> tensor<40xi1>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %40 = stablehlo.select %38, %26, %39 : tensor<40xi1>, tensor<40xf32>
    %c_14 = stablehlo.constant dense<0> : tensor<ui32>
    %41 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<ui32>) -> tensor<40x6xui32>
    %42 = stablehlo.compare EQ, %32, %41, UNSIGNED : (tensor<40x6xui32>, tensor<40x6xui32>) -> tensor<40x6xi1>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %44 = stablehlo.compare EQ, %30, %33, UNSIGNED : (tensor<40xui32>, tensor<40xui32>) -> tensor<40xi1>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %46 = stablehlo.select %44, %27, %45 : tensor<40xi1>, tensor<40xf32>
    %47 = "stablehlo.scatter"(%37, %25, %40) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %71 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %71 : tensor<f32>
    }) : (tensor<40x6xf32>, tensor<40x2xi32>, tensor<40xf32>) -> tensor<40x6xf32>
    %cst_17 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %49 = stablehlo.compare LT, %47, %48, FLOAT : (tensor<40x6xf32>, tensor<40x6xf32>) -> tensor<40x6xi1>
    %cst_18 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %51 = stablehlo.minimum %47, %50 : tensor<40x6xf32>
    %52 = stablehlo.compare EQ, %47, %51, FLOAT : (tensor<40x6xf32>, tensor<40x6xf32>) -> tensor<40x6xi1>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %55 = stablehlo.select %52, %53, %54 : tensor<40x6xi1>, tensor<40x6xf32>
    %cst_21 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %57 = stablehlo.compare EQ, %56, %51, FLOAT : (tensor<40x6xf32>, tensor<40x6xf32>) -> tensor<40x6xi1>
    %cst_22 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %60 = stablehlo.select %57, %58, %59 : tensor<40x6xi1>, tensor<40x6xf32>
    %61 = stablehlo.divide %55, %60 : tensor<40x6xf32>
    %62 = stablehlo.exponential %51 : tensor<40x6xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63:2 = call @_where_0(%49, %cst_24, %62) : (tensor<40x6xi1>, tensor<f32>, tensor<40x6xf32>) -> (tensor<40x6xf32>, tensor<40x6xf32>)
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63#0 init: %cst_25) applies stablehlo.add across dimensions = [0, 1] : (tensor<40x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %66 = call @_where_1(%49, %63#1, %65) : (tensor<40x6xi1>, tensor<40x6xf32>, tensor<40x6xf32>) -> tensor<40x6xf32>
    %67 = stablehlo.multiply %66, %62 : tensor<40x6xf32>
    %68 = stablehlo.multiply %67, %61 : tensor<40x6xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %70 = stablehlo.select %42, %68, %69 : tensor<40x6xi1>, tensor<40x6xf32>
    return %70, %11 : tensor<40x6xf32>, tensor<40x6xf32>
  }
  func.func private @_where(%arg0: tensor<40x1xi1>, %arg1: tensor<f32>, %arg2: tensor<40x6xf32>) -> tensor<40x6xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<40x1xi1>) -> tensor<40x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<40x6xi1>, tensor<40x6xf32>
    return %3 : tensor<40x6xf32>
  }
  func.func private @_where_0(%arg0: tensor<40x6xi1>, %arg1: tensor<f32>, %arg2: tensor<40x6xf32>) -> (tensor<40x6xf32>, tensor<40x6xf32>) {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<40x6xi1>, tensor<40x6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    return %2, %3 : tensor<40x6xf32>, tensor<40x6xf32>
  }
  func.func private @_where_1(%arg0: tensor<40x6xi1>, %arg1: tensor<40x6xf32>, %arg2: tensor<40x6xf32>) -> tensor<40x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x6xf32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<40x6xi1>, tensor<40x6xf32>
    return %1 : tensor<40x6xf32>
  }
}
